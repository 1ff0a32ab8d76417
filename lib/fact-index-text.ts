/** `fact-index.ts` for statements whose parameters have numbers: as text, and without what Prisma brings along. */

/** The slot of a moment. */
export const slotText = (moment: string): string => `date_bin('5 minutes', ${moment}, 'epoch')`;

/**
 * What the index of visits knows of a visitor: a hash of half the length, which with a site and a moment chooses one row or
 * none.
 */
export const visitorText = (visitor: string): string => `hashint8(${visitor})`;
