import pLimit from "p-limit";
import type { Columns } from "@/lib/analytics/engine/parquet";
import { ParquetFile } from "@/lib/analytics/engine/parquet-reader";
import { OperatorError } from "@/lib/platform/errors";

/** Rows of a file, or why it cannot be read, to follow its name. */
export type ParquetPage = { present: string[]; total: number; rows: string[] } | { fault: string };

const IDLE_MS = 60_000;

/**
 * Answers questions for pages of Parquet files. The file that was read last stays open for the next page; any other question opens its
 * file again, so that nothing is lost with this process.
 */
export class ParquetPages {
  #open: { file: ParquetFile; next: number; closing: NodeJS.Timeout } | null = null;
  readonly #inTurn = pLimit(1);

  /**
   * @param columns those that are read, each with SQL for its value; `present` has those that the file has
   * @param from the number of the first row, from 0
   * @returns the rows as JSON, none behind the last
   */
  page(file: string, columns: Columns, from: number): Promise<ParquetPage> {
    return this.#inTurn(async () => {
      try {
        const opened = await this.#at(file, columns, from);
        const rows = await opened.read();
        if (rows.length > 0) this.#keep(opened, from + rows.length);
        else this.close();
        const { present, rows: total } = opened.head;
        return { present, total, rows };
      } catch (error) {
        this.close();
        if (error instanceof OperatorError) return { fault: error.message };
        throw error;
      }
    });
  }

  close(): void {
    clearTimeout(this.#open?.closing);
    this.#open?.file.close();
    this.#open = null;
  }

  async #at(file: string, columns: Columns, from: number): Promise<ParquetFile> {
    if (this.#open?.file.path === file && this.#open.next === from) return this.#open.file;
    this.close();
    const opened = await ParquetFile.open(file, columns);
    this.#keep(opened, from);
    await opened.skip(from);
    return opened;
  }

  #keep(file: ParquetFile, next: number): void {
    clearTimeout(this.#open?.closing);
    // Not while a page is read.
    const closing = setTimeout(
      () => this.#inTurn(() => this.#open?.closing === closing && this.close()),
      IDLE_MS,
    ).unref();
    this.#open = { file, next, closing };
  }
}
