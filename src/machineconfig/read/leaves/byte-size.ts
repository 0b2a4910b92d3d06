import { Refusal } from '#machineconfig/read/refusal.ts'

const UNITS = new Map<string, number>([['b', 1]])
for (const [power, letter] of [...'kmgtpe'].entries()) {
  UNITS.set(`${letter}b`, 1000 ** (power + 1)).set(letter, 1000 ** (power + 1))
  UNITS.set(`${letter}ib`, 1024 ** (power + 1)).set(`${letter}i`, 1024 ** (power + 1))
}
UNITS.set('', 1)

const LARGEST = 2 ** 64

/** The number of bytes that a person writes as `100 MB` or `1,5GiB`. */
export function parseBytes(text: string): number | Refusal {
  const [digits = ''] = /^[\p{Nd}.,]*/u.exec(text) ?? []
  const amount = parseFloat64(digits.replaceAll(',', ''))
  if (amount instanceof Refusal) return amount
  const unit = text.slice(digits.length).trim().toLowerCase()
  const size = UNITS.get(unit)
  if (size === undefined) return new Refusal(`unhandled size name: ${unit}`)
  if (amount * size >= LARGEST) return new Refusal(`too large: ${text}`)
  return Math.trunc(amount * size)
}

const NUMBER = /^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/

/** A decimal number as Go's `strconv.ParseFloat` reads it. */
function parseFloat64(text: string): number | Refusal {
  if (!NUMBER.test(text)) {
    return new Refusal(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`)
  }
  const value = Number(text)
  if (Number.isFinite(value)) return value
  return new Refusal(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: value out of range`)
}

/** Bytes as Talos writes the size of a partition: `100 MB` if that is exact, else the number. */
export function readDiskSize(text: string): string | number | Refusal {
  const bytes = parseBytes(text)
  if (bytes instanceof Refusal || bytes % 1000 !== 0) return bytes
  const short = shortBytes(bytes)
  return parseBytes(short) === bytes ? short : bytes
}

function shortBytes(bytes: number): string {
  if (bytes < 10) return `${bytes} B`
  const power = Math.floor(Math.log(bytes) / Math.log(1000))
  const amount = Math.floor((bytes / 1000 ** power) * 10 + 0.5) / 10
  return `${amount.toFixed(amount < 10 ? 1 : 0)} ${['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'][power]}`
}

/** A size of which the text is kept, with a sign or not. */
export function readByteSize(text: string): string | Refusal {
  const bytes = text === '' ? 0 : parseBytes(text.replace(/^-/, ''))
  return bytes instanceof Refusal ? bytes : text
}

/** The same, or a percentage. */
export function readSize(text: string): string | Refusal {
  if (!text.includes('%')) return readByteSize(text)
  if (!text.endsWith('%')) return new Refusal("percentage must end with '%'")
  const amount = parseFloat64(text.replace(/^-/, '').slice(0, -1))
  if (amount instanceof Refusal) return new Refusal(`invalid percentage value: ${amount.why}`)
  if (amount >= 0 && amount <= 100) return text
  return new Refusal(`percentage must be between 0 and 100, got ${amount}`)
}

/** A comparison with a size: `>= 1TB`. */
export function readDiskCondition(text: string): string | Refusal {
  const condition = text.trim()
  const [, size = ''] = /^(?:>=|<=|>|<|==)?(.*)$/m.exec(condition) ?? []
  const bytes = parseBytes(size.trim())
  if (!(bytes instanceof Refusal)) return condition
  return new Refusal(`failed to parse disk size ${size}: ${bytes.why}`)
}
