/** Returns the address of a saved dashboard, which leads to its whole view. */
export const savedAddress = (siteId: number, id: string): string => `/sites/${siteId}?dashboard=${id}`;
