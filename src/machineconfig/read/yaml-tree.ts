import { readYaml as readWithin } from '#base/yaml/read-yaml.ts'
import { YamlError } from '#base/yaml/yaml-error.ts'
import type { YamlNode } from '#base/yaml/yaml-node.ts'
import { ConfigError } from '#machineconfig/config-error.ts'

const MEBIBYTE = 1024 * 1024
const LIMITS = {
  ...{ letters: 4 * MEBIBYTE, lines: 100_000, levels: 100 },
  ...{ nodes: 30_000, aliased: 4 * MEBIBYTE, escapes: 100_000 },
}

/**
 * The documents of a text, as go-yaml reads them. Throws a ConfigError that says where it is no YAML
 * and shows none of it. Takes time and memory in proportion to the text, of which it takes 4 MiB,
 * 100,000 lines, 100 levels and 30,000 values, with aliases unfolded, that stand for 4 MiB at most.
 */
export function readYaml(text: string): readonly YamlNode[] {
  try {
    return readWithin(text, LIMITS)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    throw new ConfigError(`decode error: ${error.message}`)
  }
}
