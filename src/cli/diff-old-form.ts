import { toYaml } from '#base/yaml.ts'

/** Where machines are listed, in all kinds that have any. */
const PLACES = [['metalSpec'], ['controlPlane', 'metalSpec'], ['worker', 'metalSpec']]

/**
 * How the machines of an object have to be written, if it lists bare addresses; undefined if it does not. Only these
 * are shown: the other entries may hold anything.
 */
export function rightFormFor(object: object): string | undefined {
  const found = PLACES.map((place) => rightFormAt(object, ['spec', ...place, 'machines']))
  return found.filter((one) => one !== undefined).join('\n') || undefined
}

function rightFormAt(object: object, path: readonly string[]): string | undefined {
  const list = path.reduce<unknown>((value, key) => Object(value)[key], object)
  const addresses = (Array.isArray(list) ? list : []).filter((entry) => typeof entry === 'string')
  if (addresses.length === 0) return undefined
  const machines = addresses.map((address) => ({ address }))
  return `${path.join('.')}: an entry is an object, and not a bare address. Write:\n${toYaml({ machines })}`.trimEnd()
}
