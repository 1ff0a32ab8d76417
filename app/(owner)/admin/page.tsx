import { Search } from "lucide-react";
import type { Metadata } from "next";
import Form from "next/form";
import { notFound } from "next/navigation";
import { MergedVisitorsNotice } from "@/components/shell/merged-visitors-notice";
import { inputLook } from "@/components/ui/field";
import { readDisk } from "@/lib/admin/disk";
import { listJobs } from "@/lib/admin/jobs";
import { readLists } from "@/lib/admin/lists";
import { listAllSites, listPeople, readBacklog } from "@/lib/admin/overview";
import { readStorage } from "@/lib/admin/storage";
import { LONGEST_SEARCH } from "@/lib/contract/fields";
import { readHealth } from "@/lib/server/health";
import { readMergedVisitors } from "@/lib/sites/merged-visitors";
import { t } from "@/lib/texts/translate";
import { signedInOwner } from "../access";
import { Accounts } from "./accounts";
import { AllSites } from "./all-sites";
import { partsOf } from "./health";
import { Jobs } from "./jobs";
import { Lists } from "./lists";
import { Parts } from "./parts";
import { Service } from "./service";
import { StorageTable } from "./storage-table";

export const generateMetadata = (): Metadata => ({ title: t("Admin") });

interface Props {
  searchParams: Promise<Record<"sites" | "people" | "q", string | string[] | undefined>>;
}

export default async function AdminPage({ searchParams }: Props) {
  const owner = await signedInOwner();
  if (!owner.administrator) notFound();
  const query = await searchParams;
  const q = typeof query.q === "string" ? query.q.trim().slice(0, LONGEST_SEARCH) : "";
  const pages = { sites: pageOf(query.sites), people: pageOf(query.people), q };
  const now = new Date();
  const [sites, people, storage, backlog, jobs, merged, health, disk] = await Promise.all([
    listAllSites(pages.sites, now, q),
    listPeople(pages.people, q),
    readStorage(),
    readBacklog(),
    listJobs(now),
    readMergedVisitors(now),
    readHealth(),
    readDisk(),
  ]);
  const lists = readLists(now);
  return (
    <div className="mx-auto max-w-3xl">
      <h1 className="text-2xl font-semibold">{t("Admin")}</h1>
      <p className="mt-1 mb-6 text-muted">
        {t("Status of the whole service. Only its administrators can see this page.")}
      </p>
      <div className="space-y-5">
        <MergedVisitorsNotice merged={merged} showsAddresses />
        <Parts parts={partsOf({ health, jobs, lists, backlog, disk }, now)} />
        <Service postgres={storage.postgres} backlog={backlog} now={now} />
        <Form action="/admin" role="search" className="relative">
          <Search className="pointer-events-none absolute top-3 left-3 size-4 text-muted" />
          <input
            key={q}
            type="search"
            name="q"
            defaultValue={q}
            maxLength={LONGEST_SEARCH}
            aria-label={t("Search people and sites")}
            placeholder={t("Find an account or a site")}
            className={`${inputLook} pl-9`}
          />
        </Form>
        <Accounts {...people} pages={pages} now={now} you={owner.personId} />
        <AllSites {...sites} pages={pages} now={now} />
        <StorageTable storage={storage} disk={disk} now={now} />
        <Jobs jobs={jobs} now={now} />
        <Lists lists={lists} />
      </div>
    </div>
  );
}

const pageOf = (text: string | string[] | undefined): number =>
  typeof text === "string" && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
