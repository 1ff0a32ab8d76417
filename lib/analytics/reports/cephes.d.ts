/** The functions that we use: the package does not export its own declarations. */
declare module "cephes" {
  /** Resolves once the functions below may be called. */
  export const compiled: Promise<void>;
  /** The regularised incomplete beta function: the share of Beta(a, b) below x. */
  export function incbet(a: number, b: number, x: number): number;
  /** Its inverse. */
  export function incbi(a: number, b: number, share: number): number;
  /** The logarithm of the beta function. */
  export function lbeta(a: number, b: number): number;
  /** The share of the chi-square distribution above x. */
  export function chdtrc(degreesOfFreedom: number, x: number): number;
  /** The regularised incomplete gamma function: the share of Gamma(a, 1) below x, and above it. */
  export function igam(a: number, x: number): number;
  export function igamc(a: number, x: number): number;
}
