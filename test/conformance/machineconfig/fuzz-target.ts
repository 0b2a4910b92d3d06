import { ConfigError } from '#machineconfig/config-error.ts'
import { aCluster } from '#machineconfig/generate/a-cluster.cases.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import { applyPatches, patchText } from '#machineconfig/patch/apply-patches.ts'
import { loadPatch } from '#machineconfig/patch/load-patch.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { validateConfig } from '#machineconfig/validate/validate.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'

const strategic = loadPatch({ name: 'one', text: 'machine: { sysctls: { a: b } }' })
const operations = loadPatch({
  name: 'two',
  text: '[{"op": "add", "path": "/debug", "value": true}]',
})
const target = generateConfig('controlplane', aCluster({ talosVersion: 'v1.9' }))

/** What a text from anywhere may be: a configuration, one that is patched, a patch. */
export const ways: Readonly<Record<string, (text: string) => unknown>> = {
  read(text) {
    const config = readConfig(text)
    validateConfig(config, { mode: 'metal', strict: true })
    return writeConfig(applyPatches(config, [strategic]))
  },
  'written and read again'(text) {
    const written = writeConfig(readConfig(text))
    if (writeConfig(readConfig(written)) !== written) throw new Error(`not the same: ${text}`)
    return written
  },
  'read as v1.14'(text) {
    const config = readConfig(text, { talosVersion: 'v1.14' })
    return validateConfig(config, { mode: 'container', talosVersion: 'v1.14' })
  },
  'patched with operations': (text) => patchText(text, [operations]),
  'a patch': (text) => writeConfig(applyPatches(target, [loadPatch({ name: 'patch', text })])),
}

/** The same, but that it is only read: for texts that are as long as may be. */
export const shortWays: typeof ways = {
  read: (text) => readConfig(text),
  ...Object.fromEntries(
    Object.entries(ways).filter(([name]) => name !== 'read' && name !== 'written and read again'),
  ),
}

/** Whether the text is taken. Throws what is no refusal. */
export function isTaken(way: (text: string) => unknown, text: string): boolean {
  try {
    way(text)
    return true
  } catch (error) {
    if (error instanceof ConfigError) return false
    throw error
  }
}
