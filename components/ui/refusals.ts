/** Translations of refusals by operations. Readers of English need none, so pages load them with a catalogue. */
let translated = (english: string): string => english;

/** Returns what a refusal says in the language of the open page. In the browser only: on the server it stays English. */
export const refusalOnPage = (english: string): string => translated(english);

export async function loadRefusals(): Promise<void> {
  translated = (await import("@/components/ui/refusal-texts")).refusalInWords;
}
