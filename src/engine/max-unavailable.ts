const PERCENT = /^(\d{1,3})%$/
const NUMBER = /^\d{1,6}$/

/** How many of so many machines may be down at once: at least one, or nothing would ever be done. */
export function maxUnavailable(wanted: number | string | undefined, machines: number): number {
  const text = String(wanted ?? 1)
  const [, percent] = PERCENT.exec(text) ?? []
  const count =
    percent === undefined
      ? Number(NUMBER.test(text) ? text : 1)
      : Math.floor((machines * Number(percent)) / 100)
  return Math.max(1, count)
}
