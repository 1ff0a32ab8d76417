/** Names of the machine that a browser runs on, as a regular expression for JavaScript and Postgres. */
export const THIS_MACHINE = "^(127[.]0[.]0[.]1|([a-z0-9_.-]+[.])?localhost)$";
const thisMachine = new RegExp(THIS_MACHINE);

/**
 * A site with such a domain is a local trial: its pages are opened on the machine of the server, so nobody else can
 * visit, verify or test them.
 */
export const isThisMachine = (host: string): boolean => thisMachine.test(host);
