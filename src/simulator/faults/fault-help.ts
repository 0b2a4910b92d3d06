import { type FaultName, faultKinds, isFaultName, keysOf } from './fault-kinds.ts'

/** A line for each fault: how it is written, and what it does. */
export const faultHelp = (): readonly string[] => {
  const names = Object.keys(faultKinds).filter(isFaultName)
  const written = new Map(names.map((name) => [name, formOf(name)]))
  const width = Math.max(...[...written.values()].map(({ length }) => length))
  return names.map(
    (name) => `${(written.get(name) ?? name).padEnd(width)}  ${faultKinds[name].description}`,
  )
}

function formOf(name: FaultName): string {
  const keys = [...keysOf(name)].map(([key, { takes, isRequired }]) => {
    const value = typeof takes === 'string' ? takes.toUpperCase() : takes.join('|')
    return isRequired ? `,${key}=${value}` : `[,${key}=${value}]`
  })
  return `${name}[:MACHINE]${keys.join('')}`
}
