"use client";

import { Upload } from "lucide-react";
import { useRouter } from "next/navigation";
import { type DragEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { reasonOf, useOutcome, useUploadPart } from "@/components/actions/actions";
import type { ActionData } from "@/components/actions/typed";
import { Button, buttonLook } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { pollJson } from "@/components/ui/polling";
import { Section } from "@/components/ui/section";
import { UNREACHABLE } from "@/components/ui/toaster";
import { importFailureInWords } from "@/lib/contract/refusal-words";
import { Refusal } from "@/lib/platform/errors";
import { t } from "@/lib/texts/translate";
import { Done } from "./done";
import { Guides } from "./guides";
import { ImportPreview } from "./preview";
import { Questions } from "./questions";
import type { Import } from "./remove-import";
import { allServices, serviceTitle } from "./source-names";

type Run = ActionData<"sites.imports.list">["runs"][number];

interface Props {
  siteId: number;
  domain: string;
  imports: Import[];
  /** The latest import; null before the first one. */
  latest: Run | null;
}

/** Bytes of a part, which take less than half a minute at half a megabit a second. */
const PART_BYTES = 2 * 1024 ** 2;
const POLL_MS = 1_000;

/** Takes files, shows what they would add, and imports them. The import goes on if the page is closed. */
export function ImportFiles({ siteId, domain, imports, latest }: Props) {
  const [run, setRun] = useState(latest);
  const [asksForOthers, setAsksForOthers] = useState(false);
  const upload = useUpload(siteId, (created) => {
    setRun(created);
    setAsksForOthers(false);
  });
  const start = useOutcome("sites.imports.start");
  const [problem, setProblem] = useState<string | null>(null);
  const router = useRouter();
  useProgress(siteId, run, (next) => {
    setRun(next);
    if (next.state === "done") router.refresh();
  });

  async function begin(importId: string) {
    setProblem(null);
    const outcome = await start.perform({ site_id: siteId, import_id: importId });
    if ("data" in outcome) setRun(outcome.data);
    else setProblem(reasonOf(outcome.problems));
  }

  const state = asksForOthers ? null : run?.state;
  const isReading = reads(state);
  const asks = state === "failed" && run !== null && run.questions.length > 0 && run.file_ids.length > 0;
  const choosesFiles = !upload.progress && !isReading && state !== "ready" && !asks;
  return (
    <Section
      title={t("Import files")}
      about={t(
        "Drop an export of {services} here, as files or as a zip. You see what it contains before anything is stored.",
        { services: allServices() },
      )}
    >
      <div className="space-y-4">
        {(upload.problem ?? problem) && <Notice>{upload.problem ?? problem}</Notice>}
        {!upload.progress && run && asks && (
          <Questions siteId={siteId} run={run} onChecked={setRun} onOthers={() => setAsksForOthers(true)} />
        )}
        {!upload.progress && run && state === "failed" && !asks && (
          <Notice>
            <p className="font-medium [overflow-wrap:anywhere]">
              {run.removable
                ? t("{files}: nothing was imported.", { files: run.files.join(", ") })
                : t("{files}: the import did not end.", { files: run.files.join(", ") })}
            </p>
            <p className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]">
              {run.problem && importFailureInWords(run.problem)}
            </p>
          </Notice>
        )}
        {!upload.progress && run && state === "done" && isShown(run, latest) && (
          <Done
            siteId={siteId}
            domain={domain}
            run={run}
            imported={imports.find(({ source }) => source === run.source)}
          />
        )}
        {upload.progress && (
          <ProgressBar label={t("Uploading {name}", { name: upload.progress.name })} share={upload.progress.share}>
            <Button look="quiet" size="small" onClick={upload.cancel}>
              {t("Cancel")}
            </Button>
          </ProgressBar>
        )}
        {!upload.progress && run && isReading && <ProgressBar label={activityOf(run)} share={run.progress} />}
        {!upload.progress && run && state === "fetching" && (
          <Notice tone="warn">
            {(run.problem && importFailureInWords(run.problem)) ??
              t("You can close this page: the fetch goes on, and the preview is here when it has ended.")}
          </Notice>
        )}
        {!upload.progress && run && state === "ready" && (
          <ImportPreview
            run={run}
            busy={start.busy}
            onStart={() => begin(run.import_id)}
            onOthers={() => setAsksForOthers(true)}
          />
        )}
        {choosesFiles && <DropZone onFiles={upload.send} />}
        <Guides source={asksForOthers ? null : (run?.source ?? null)} />
      </div>
    </Section>
  );
}

/** Whether the page has what the run has stored, so that its list and its undo are of the same data. */
const isShown = (run: Run, latest: Run | null): boolean =>
  latest?.import_id === run.import_id && latest.state === "done";

/** Whether the server reads files or fetches them. */
const reads = (state: Run["state"] | null | undefined): boolean =>
  state === "fetching" || state === "checking" || state === "importing";

function activityOf({ state, source }: Run): string {
  if (state === "fetching") return t("Fetching Google Analytics");
  return state === "checking"
    ? t("Checking the files")
    : t("Importing from {service}", { service: serviceTitle(source) });
}

/** Uploads files part by part, then has them checked. */
function useUpload(siteId: number, onCreated: (run: Run) => void) {
  const announce = useOutcome("sites.imports.upload");
  const create = useOutcome("sites.imports.create");
  const sendPart = useUploadPart();
  const [progress, setProgress] = useState<{ name: string; share: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const cancelled = useRef(false);

  async function send(files: readonly File[]) {
    if (files.length === 0) return;
    cancelled.current = false;
    setProblem(null);
    try {
      setProblem(await sendAll(files));
    } catch (error) {
      setProblem(error instanceof Refusal ? error.message : `${t(UNREACHABLE)} ${t("Choose the files again.")}`);
    } finally {
      setProgress(null);
    }
  }

  /** @returns what went wrong; null if nothing did, or the person cancelled */
  async function sendAll(files: readonly File[]): Promise<string | null> {
    const total = files.reduce((sum, { size }) => sum + size, 0);
    const ids: string[] = [];
    let sent = 0;
    for (const file of files) {
      setProgress({ name: file.name, share: total > 0 ? sent / total : 0 });
      const outcome = await announce.perform({ site_id: siteId, name: file.name, size: file.size });
      if ("problems" in outcome) return `${file.name}: ${reasonOf(outcome.problems)}`;
      const { file_id } = outcome.data;
      for (let from = 0; from < file.size; from += PART_BYTES) {
        if (cancelled.current) return null;
        const part = file.slice(from, from + PART_BYTES);
        await sendPart(file_id, from, part);
        sent += part.size;
        setProgress({ name: file.name, share: sent / total });
      }
      ids.push(file_id);
    }
    const outcome = await create.perform({ site_id: siteId, files: ids });
    if ("problems" in outcome) return reasonOf(outcome.problems);
    onCreated(outcome.data);
    return null;
  }

  const cancel = () => {
    cancelled.current = true;
  };
  return { send, cancel, progress, problem };
}

/** Polls a run while the server reads its files. */
function useProgress(siteId: number, run: Run | null, onNews: (run: Run) => void) {
  const take = useEffectEvent(onNews);
  const id = run?.import_id;
  const isReading = reads(run?.state);

  useEffect(() => {
    if (!isReading) return;
    const address = () => `/sites/${siteId}/settings/import/runs`;
    return pollJson<{ runs: Run[] }>({ everyMs: POLL_MS }, address, ({ runs }) => {
      const next = runs.find(({ import_id }) => import_id === id);
      if (next) take(next);
      return undefined;
    });
  }, [siteId, id, isReading]);
}

interface ProgressProps {
  label: string;
  /** 0 to 1. */
  share: number;
  children?: ReactNode;
}

/** How far something that takes a while has come. */
function ProgressBar({ label, share, children }: ProgressProps) {
  const id = useId();
  const percent = Math.round(share * 100);
  return (
    <div className="rounded-lg border border-line bg-sunken px-3.5 py-3">
      <div className="flex items-center justify-between gap-4">
        <p id={id} className="min-w-0 truncate text-sm font-medium">
          {label}
        </p>
        <span className="text-sm tabular-nums text-muted">{percent} %</span>
      </div>
      <div className="mt-2.5 flex items-center gap-4">
        <div
          role="progressbar"
          aria-labelledby={id}
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
          className="h-2 min-w-0 flex-1 overflow-hidden rounded-full bg-line"
        >
          <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${percent}%` }} />
        </div>
        {children}
      </div>
    </div>
  );
}

function DropZone({ onFiles }: { onFiles(files: readonly File[]): void }) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);

  function drop(event: DragEvent) {
    event.preventDefault();
    setIsOver(false);
    onFiles([...event.dataTransfer.files]);
  }

  return (
    <fieldset
      aria-label={t("Files to import")}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      className={`flex flex-col items-center gap-3 rounded-lg border border-dashed px-4 py-8 text-center transition-colors ${
        isOver ? "border-accent bg-accent-soft" : "border-line bg-sunken"
      }`}
    >
      <Upload aria-hidden className="size-6 text-muted" />
      <p className="text-sm text-muted">
        <span className="max-sm:hidden">{t("Drop files here, or choose them.")} </span>
        {t("CSV, TSV or JSON, also as gzip or zip, up to 512 MB each.")}
      </p>
      <input
        id={id}
        type="file"
        multiple
        accept=".csv,.tsv,.json,.jsonl,.ndjson,.parquet,.gz,.zip"
        className="peer sr-only"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <label
        htmlFor={id}
        className={buttonLook(
          { look: "primary" },
          "cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent",
        )}
      >
        {t("Choose files")}
      </label>
    </fieldset>
  );
}
