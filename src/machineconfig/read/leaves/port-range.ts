import type { YamlScalar } from '#base/yaml/yaml-node.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import { readInteger } from './integer.ts'

const HIGHEST = 65_535

/** One port, or the first and last of several: `80`, `80-90`. */
export function readPortRange(node: YamlScalar): number | string | Refusal {
  const port = readInteger({ reads: 'integer', bits: 16, signed: false }, node)
  if (port !== undefined) return port
  const [, first = '', last = ''] = /^0*([0-9]{1,5})-0*([0-9]{1,5})$/.exec(node.text) ?? []
  if (first === '' || Number(first) > HIGHEST || Number(last) > HIGHEST) {
    return new Refusal(`invalid port range: ${JSON.stringify(node.text)}`)
  }
  return Number(first) === Number(last) ? Number(first) : `${Number(first)}-${Number(last)}`
}
