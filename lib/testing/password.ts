/** The password of the people that tests create. */
export const PASSWORD = "correct horse battery";
/** At argon2's lowest cost: tests sign in hundreds of times. */
export const PASSWORD_HASH =
  "$argon2id$v=19$m=8,t=1,p=1$Zm9vdGZhbGwtdGVzdC1wdw$nQONUlq8Ct4ON1HowgSLL8GASLLo+cNVt3V6Lzhb1ww";
