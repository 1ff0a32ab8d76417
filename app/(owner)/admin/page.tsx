import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { MergedVisitorsNotice } from "@/components/shell/merged-visitors-notice";
import { listJobs } from "@/lib/admin/jobs";
import { readLists } from "@/lib/admin/lists";
import { listAllSites, listPeople, readBacklog } from "@/lib/admin/overview";
import { readStorage } from "@/lib/admin/storage";
import { isFirstAccount } from "@/lib/auth/first-account";
import { readMergedVisitors } from "@/lib/sites/merged-visitors";
import { signedInOwner } from "../access";
import { Accounts } from "./accounts";
import { AllSites } from "./all-sites";
import { Jobs } from "./jobs";
import { Lists } from "./lists";
import { Service } from "./service";
import { StorageTable } from "./storage-table";

export const metadata: Metadata = { title: "Admin" };

interface Props {
  searchParams: Promise<{ sites?: string | string[]; people?: string | string[] }>;
}

export default async function AdminPage({ searchParams }: Props) {
  const owner = await signedInOwner();
  if (!(await isFirstAccount(owner.personId))) notFound();
  const query = await searchParams;
  const pages = { sites: pageOf(query.sites), people: pageOf(query.people) };
  const now = new Date();
  const [sites, people, storage, backlog, jobs, merged] = await Promise.all([
    listAllSites(pages.sites, now),
    listPeople(pages.people),
    readStorage(),
    readBacklog(),
    listJobs(now),
    readMergedVisitors(now),
  ]);
  return (
    <div className="mx-auto max-w-3xl">
      <h1 className="text-2xl font-semibold">Admin</h1>
      <p className="mt-1 mb-6 text-muted">Status of the whole service. Only the first account can see this page.</p>
      <div className="space-y-5">
        <MergedVisitorsNotice merged={merged} showsAddresses />
        <Service postgres={storage.postgres} backlog={backlog} now={now} />
        <Jobs jobs={jobs} now={now} />
        <Lists lists={readLists(now)} />
        <AllSites {...sites} pages={pages} now={now} />
        <Accounts {...people} pages={pages} now={now} />
        <StorageTable storage={storage} />
      </div>
    </div>
  );
}

const pageOf = (text: string | string[] | undefined): number =>
  typeof text === "string" && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
