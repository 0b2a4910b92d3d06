const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** `43 GB`, in powers of a thousand, with one digit more below ten. */
export function prettyBytes(bytes: number): string {
  let [amount, unit] = [bytes, 0]
  while (amount >= 1000 && unit < UNITS.length - 1) {
    amount /= 1000
    unit++
  }
  const shown = unit > 0 && amount < 10 ? amount.toFixed(1) : Math.round(amount).toString()
  return `${shown} ${UNITS[unit]}`
}
