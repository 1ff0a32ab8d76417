import { print } from "@/bench/support/bench-server";
import { type Props, scrub, scrubProps } from "@/lib/ingest/scrubbing/scrub";

/** `npm run bench scrub`: CPU time of replacing personal data in paths, titles and properties that mostly have none. */

const PATHS = [
  "/",
  "/blog/how-to-build-a-house-in-ten-days",
  "/products/blue-shoes-42",
  "/2024/11/20/iPhone-15-Pro-vs-Pixel-8-Pro",
  "/docs/getting-started",
  "/orders/3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  "/search?q=red+shoes&page=2",
  "/account/login",
];
const TITLES = ["How to build a house in ten days | Example", "Pricing", "Blue shoes, size 42 – Example Shop"];
const PROPS: Props[] = [
  { plan: "pro", seats: 5, trial: true },
  { sku: "SM-S928B", price: "1299.00", currency: "EUR", category: "Phones" },
  { url: "https://example.com/a/b?utm_source=x", text: "Read more" },
];
const ROUNDS = 7;
const REPEATS = 60_000;

report("path", PATHS, (path) => scrub(path, () => {}));
report("title", TITLES, (title) => scrub(title, () => {}));
report("properties of an event", PROPS, (props) => scrubProps(props, () => {}));

/** Prints the nanoseconds of one call, in the second fastest of several rounds. */
function report<T>(name: string, values: readonly T[], work: (value: T) => unknown): void {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    for (let at = 0; at < REPEATS; at++) work(values[at % values.length] as T);
    const { user, system } = process.cpuUsage(before);
    return ((user + system) * 1000) / REPEATS;
  });
  const [, second = 0] = rounds.sort((one, other) => one - other);
  print(`${name}: ${Math.round(second)} ns`);
}
