import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { makeMember } from "@/lib/testing/calls";
import { makeSite } from "@/lib/testing/world";
import { creatorsOf } from "./creators";

test("the creator of a saved object is you for the reader, and has a name only while they are a member", async () => {
  const site = await makeSite();
  const creator = await makeMember(site.id, "manager");
  const { email } = await db().person.findUniqueOrThrow({ where: { id: creator } });
  const nameFor = async (readerId: number) => (await creatorsOf(site.id, readerId))(creator);
  expect([await nameFor(creator), await nameFor(site.ownerId)]).toEqual(["you", email]);
  await db().membership.deleteMany({ where: { siteId: site.id, personId: creator } });
  expect(await nameFor(site.ownerId)).toBeNull();
});
