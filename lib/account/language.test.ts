import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { exportAccount } from "@/lib/account/export-account";
import { emailPerson, passwordChanged } from "@/lib/auth/notices";
import { unlink } from "@/lib/email/links";
import { db } from "@/lib/platform/db";
import { browser } from "@/lib/testing/browser";
import { call, makeMember, summaryOf } from "@/lib/testing/calls";
import { openTestDatabase } from "@/lib/testing/database";
import { emailsOf, emailsTo } from "@/lib/testing/emails";
import { doAction, newOwner, newPerson } from "@/lib/testing/owners";
import { PASSWORD } from "@/lib/testing/password";
import { makeSite } from "@/lib/testing/world";
import { inLanguage } from "@/lib/texts/in-language";

openTestDatabase();

const now = new Date("2040-05-01T12:00:00Z");

/** A person who chose a language. */
async function speaker(language: string) {
  const owner = await newOwner(now);
  expect((await doAction(owner, "account.set_language", { language }, now)).status).toBe(200);
  return owner;
}

const languageOf = async (personId: number) =>
  (await db().person.findUniqueOrThrow({ where: { id: personId }, select: { language: true } })).language;

test("a person stores the language that they chose, which is in the export of the account; other values are refused", async () => {
  const owner = await speaker("es");
  expect(await exportAccount(owner, now)).toMatchObject({ account: { language: "es" } });
  for (const language of ["fr", "constructor", "", "de; DROP TABLE person", null, ["de"]]) {
    expect((await doAction(owner, "account.set_language", { language }, now)).status, `${language}`).toBe(422);
  }
  expect(await languageOf(owner.personId)).toBe("es");
});

test("signing in sets the cookie of the account's language in a browser that has none, and leaves another choice", async () => {
  const { email, personId } = await newPerson(now);
  await db().person.update({ where: { id: personId }, data: { language: "de" } });
  const [fresh, other] = [browser(), browser()];
  await fresh.post("callback/credentials", { email, password: PASSWORD });
  expect(fresh.jar.get("language")).toBe("de");
  other.jar.set("language", "es");
  await other.post("callback/credentials", { email, password: PASSWORD });
  expect(other.jar.get("language")).toBe("es");
});

test("an email to an account is written in its language, whatever the page of who causes it has", async () => {
  const owner = await speaker("es");
  const notice = passwordChanged({ everyBrowser: false, disconnectAgents: false });
  await inLanguage("de", () => emailPerson(db(), owner.personId, notice, now));
  const [email] = await emailsOf(owner.personId);
  expect(email?.subject).toBe("Tu contraseña ha cambiado");
  expect(email?.text).toContain("Fue el 1 de mayo de 2040 a las 12:00 UTC.");
  expect(email?.text).toContain("Recibes este correo porque siempre se avisa a los titulares");
});

test("an invitation is in the language of the invited account, and without an account in that of who invites", async () => {
  const [inviter, known] = [await speaker("de"), await speaker("es")];
  const site = await makeSite();
  await db().membership.create({ data: { siteId: site.id, personId: inviter.personId, role: "owner" } });
  const stranger = `${randomUUID()}@example.net`;
  for (const email of [known.email, stranger]) {
    const input = { site_id: site.id, email, role: "manager" };
    expect((await doAction(inviter, "sites.members.invite", input, now)).status).toBe(200);
  }
  expect((await emailsTo(known.email)).at(-1)?.subject).toBe(
    `Tienes una invitación para ver las analíticas de ${unlink(site.host)}`,
  );
  const [email] = await emailsTo(stranger);
  expect(email?.subject).toBe(`Sie sind eingeladen, die Analysen von ${unlink(site.host)} zu sehen`);
  expect(email?.text).toContain("Ihre Rolle ist Manager (ändert auch die Einstellungen der Website).");
});

test("an address without an account is asked to confirm reports in the language of who added it", async () => {
  const site = await makeSite();
  await db().person.update({ where: { id: site.ownerId }, data: { language: "de" } });
  const email = `${randomUUID()}@example.net`;
  await call(site.ownerId, "sites.reports.recipients.add", { site_id: site.id, email, cadences: ["weekly"] }, now);
  expect((await emailsTo(email))[0]?.subject).toBe(
    `Bestätigen Sie, dass Sie E-Mails über ${unlink(site.host)} möchten`,
  );
});

test("each owner is told of a change in their own language, and what agents read of it stays English", async () => {
  const site = await makeSite();
  const other = await makeMember(site.id, "owner");
  await db().person.update({ where: { id: site.ownerId }, data: { language: "de" } });
  await db().person.update({ where: { id: other }, data: { language: "es" } });
  await call(site.ownerId, "sites.keys.create", { site_id: site.id, name: "Shop" }, now);
  const subjects = await Promise.all([site.ownerId, other].map(async (id) => (await emailsOf(id))[0]?.subject));
  expect(subjects).toEqual([`Ingest-Schlüssel erstellen: ${site.host}`, `Crear una clave de ingesta: ${site.host}`]);
  const text = (await emailsOf(other))[0]?.text;
  expect(text).toContain("    Clave de ingesta: nada → «Shop»");
  expect(await summaryOf(site.ownerId, site.id, "sites.keys.create", { name: "Shop" })).toContainEqual({
    label: "Ingest key",
    before: null,
    after: "Shop",
  });
});
