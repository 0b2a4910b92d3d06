import { Refusal } from '#simulator/refusal.ts'

/** The name of a number that came over the wire. Refuses one that nobody has defined. */
export function nameOf<Name extends string>(
  names: readonly Name[],
  value: number,
  what: string,
): Name {
  const name = names[value]
  if (name === undefined) throw new Refusal('InvalidArgument', `unsupported ${what} ${value}`)
  return name
}
