// What machines say that they run with, and in what that differs from what they said before.

import { parseYamlDocuments } from '#base/yaml.ts'
import type { AShell } from './a-shell.ts'

/** By the addresses of machines, the values by their places: `machine.install.image`. */
export type SeenConfigs = Readonly<Record<string, ReadonlyMap<string, unknown>>>

/** Asks machines for their configurations. */
export async function configsOn(user: AShell, machines: readonly string[]): Promise<SeenConfigs> {
  const text = await user.types(
    `talosctl get machineconfig v1alpha1 -n ${machines.join(',')} -o yaml`,
  )
  return Object.fromEntries(
    parseYamlDocuments(text).map((shown) => {
      const { node, spec } = Object(shown)
      return [node, new Map(parseYamlDocuments(spec).flatMap((one) => placesIn(one, kindOf(one))))]
    }),
  )
}

/** The first document has no kind. */
const kindOf = (document: unknown): string => Object(document).kind ?? ''

function placesIn(value: unknown, place: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[place, value]]
  return Object.entries(value).flatMap(([key, one]) =>
    placesIn(one, place === '' ? key : `${place}.${key}`),
  )
}

/** What became another one on a machine: `machine.install.image: a → b`. */
export function changesOn(address: string, before: SeenConfigs, after: SeenConfigs): string[] {
  const [had, has] = [before[address] ?? new Map(), after[address] ?? new Map()]
  const places = [...new Set([...had.keys(), ...has.keys()])].sort()
  return places
    .filter((place) => had.get(place) !== has.get(place))
    .map((place) => `${place}: ${had.get(place) ?? 'nothing'} → ${has.get(place) ?? 'nothing'}`)
}
