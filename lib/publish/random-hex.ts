/** Shell that yields random bytes as hex digits, with tools that plain images and macOS have. */
export const randomHex = (bytes: number): string => `$(od -An -N${bytes} -tx1 /dev/urandom | tr -d ' \\n')`;
