/** A place in our own code that holds a hostile case of docs/threats.md, and the test that fails without it. */
export interface Protection extends Removal {
  /** The number of the case. */
  case: number;
  /** Further places that hold the same case, so that the test fails only without all of them. */
  also?: readonly Removal[];
  /** One of the tests in the row of the case: its file and a part of its title. Prefer one that is fast. */
  test: { file: string; title: string };
}

/** How a protection is removed from a file. */
export interface Removal {
  file: string;
  /** Text that occurs exactly once in the file. */
  find: string;
  /** What the code would be without the protection; empty when it is only left out. */
  replace: string;
}

/** A case that no such place holds, and why. */
export interface Exempt {
  case: number;
  because: string;
}
