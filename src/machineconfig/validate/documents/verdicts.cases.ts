import type { ValueMap } from '#machineconfig/document.ts'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import { documentKind } from '#machineconfig/shapes/shapes.ts'
import {
  type ValidateOptions,
  type Verdict,
  validateConfig,
} from '#machineconfig/validate/validate.ts'

/** What is said of documents, by their kind; '' is the legacy one, whose own errors are left out. */
export function verdictOn(
  documents: readonly (readonly [kind: string, fields: ValueMap])[],
  options: Partial<ValidateOptions> = {},
): Verdict {
  const config = new MachineConfig(
    documents.map(([name, fields]) => {
      const kind = documentKind(name)
      if (kind === undefined) throw new Error(`there is no kind ${name}`)
      return { kind, fields }
    }),
  )
  const { warnings, errors } = validateConfig(config, { mode: 'metal', ...options })
  return { warnings, errors: errors.filter((error) => !error.startsWith('v1alpha1.Config: ')) }
}

/** The errors within one document, without its name. */
export function errorsOf(kind: string, fields: ValueMap, talosVersion = 'v1.13.0'): string[] {
  const { errors } = verdictOn([[kind, fields]], { talosVersion })
  const whole = errors.find((error) => /^\w+[:/]/.test(error) && error.startsWith(kind)) ?? ''
  const text = whole.replace(/^\w+(?:\/.*?)?: /, '')
  return text === '' ? [] : text.split('\n')
}

/** What it repeats of the legacy document. */
export const conflictOf = (
  [kind, fields]: readonly [kind: string, fields: ValueMap],
  legacy: ValueMap,
  talosVersion = 'v1.13.0',
): string | undefined =>
  verdictOn(
    [
      ['', legacy],
      [kind, fields],
    ],
    { talosVersion },
  ).errors.find((error) => !error.startsWith(kind) && /v1alpha1/i.test(error))
