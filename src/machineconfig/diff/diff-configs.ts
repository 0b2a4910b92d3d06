import { toYaml } from '#base/yaml.ts'
import type { Value } from '#machineconfig/document.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { type Change, changesBetween } from './changes.ts'
import { isList, isMap } from './compare-values.ts'

/**
 * What changes between two configurations, as a person reads it: one line for each value, under the
 * document that it belongs to. Empty when they say the same. Secrets are stars; of one that changes it
 * is said that it does.
 */
export const diffConfigs = (before: MachineConfig, after: MachineConfig): string =>
  changesText(changesBetween(before, after))

/** The same of changes that are known. */
export function changesText(changes: readonly Change[]): string {
  const byDocument = new Map<string, Change[]>()
  for (const change of changes) {
    const known = byDocument.get(change.document)
    if (known) known.push(change)
    else byDocument.set(change.document, [change])
  }
  return [...byDocument].map(([name, own]) => shownDocument(name, own)).join('')
}

function shownDocument(name: string, changes: readonly Change[]): string {
  const [whole] = changes
  if (whole?.path === '' && whole.before === undefined) return `+ ${name}\n${block(whole.after)}`
  if (whole?.path === '' && whole.after === undefined) return `- ${name}\n`
  return `  ${name}\n${changes.map(line).join('')}`
}

const block = (value: Value | undefined): string => indented(toYaml(value), '    + ')

function line({ path, before, after, isHidden }: Change): string {
  if (isHidden) return `    ~ ${path}: a secret, which changes\n`
  if (before === undefined) return `    + ${path}${shown(after, '+')}\n`
  if (after === undefined) return `    - ${path}${shown(before, '-')}\n`
  return `    ~ ${path}: ${inline(before)} → ${inline(after)}\n`
}

function shown(value: Value | undefined, sign: string): string {
  if (value === undefined || !isLarge(value)) return `: ${inline(value)}`
  return `:\n${indented(toYaml(value), `    ${sign}   `)}`.trimEnd()
}

const isLarge = (value: Value): boolean =>
  (isMap(value) && Object.keys(value).length > 0) || (isList(value) && value.some(isLarge))

const inline = (value: Value | undefined): string => JSON.stringify(value ?? null)

const indented = (text: string, indent: string): string =>
  text.trimEnd().replace(/^/gm, indent).concat('\n')
