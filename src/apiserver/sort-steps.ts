import { isDue, type Steps } from './steps.ts'

type Compare<Item> = (a: Item, b: Item) => number

// Sorted at once.
const RUN = 512

/** The items in order, as `toSorted` puts them, with pauses. */
export function* sortedInSteps<Item>(
  items: readonly Item[],
  compare: Compare<Item>,
): Steps<Item[]> {
  if (items.length <= RUN) return items.toSorted(compare)
  let runs: Item[][] = []
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const longer: Item[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(yield* merged(runs[at] ?? [], runs[at + 1] ?? [], compare))
    }
    runs = longer
  }
  return runs[0] ?? []
}

function* merged<Item>(a: Item[], b: Item[], compare: Compare<Item>): Steps<Item[]> {
  if (b.length === 0) return a
  const out: Item[] = []
  let [left, right] = [0, 0]
  for (;;) {
    const [one, other] = [a[left], b[right]]
    if (one === undefined || other === undefined) break
    // The one that was first stays so when both are the same.
    if (compare(one, other) <= 0) {
      out.push(one)
      left++
    } else {
      out.push(other)
      right++
    }
    if (isDue()) yield
  }
  return out.concat(a.slice(left), b.slice(right))
}
