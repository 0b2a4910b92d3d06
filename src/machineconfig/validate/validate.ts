import { checkDocuments } from '#machineconfig/check-documents.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { ConfigDocument } from '#machineconfig/document.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { parseVersion } from '#machineconfig/versions/version.ts'
import { textAt } from './checks/fields.ts'
import { rulesOf } from './documents/document-rules.ts'
import type { RuleContext } from './documents/kind-rules.ts'
import { laterConflict } from './documents/later-conflicts.ts'
import { errorText } from './error-list.ts'
import { expressionsProblem } from './expressions-length.ts'
import { laterErrors, laterWarnings } from './later-rules.ts'
import { runtimeProblems } from './legacy/runtime-problems.ts'
import { FIRST_OF_LATER, validateLegacy } from './legacy/validate-legacy.ts'

/** For what a configuration is judged. */
export interface ValidateOptions {
  readonly mode: 'metal' | 'container' | 'cloud'
  /** Whether warnings of the legacy document are errors. */
  readonly strict?: boolean
  /** The version that the machine runs; v1.13 unless told. */
  readonly talosVersion?: string
  /** Whether Talos is on the disk already. */
  readonly installed?: boolean
}

/** What Talos says. `errorText` makes one text of the errors, as talosctl prints it. */
export interface Verdict {
  readonly warnings: string[]
  readonly errors: string[]
}

const DEFAULT_MINOR = 13

/**
 * Judges a configuration as Talos does before it takes it: first the legacy document, then the others one
 * by one, then what contradicts the legacy one. Never throws. Which fields a version has is not looked at:
 * `readConfig` does that.
 */
export function validateConfig(config: MachineConfig, options: ValidateOptions): Verdict {
  const conflict = conflictIn(config) ?? expressionsProblem(config.documents)
  if (conflict !== undefined) return { warnings: [], errors: [conflict] }
  const version = parseVersion(options.talosVersion ?? '')
  const context = { minor: version?.minor ?? DEFAULT_MINOR }
  const others = config.documents.filter((document) => document !== config.legacy)
  const legacy = legacyVerdict(config.legacy, options, context)
  const warnings = others.flatMap(({ kind, fields }) => [
    ...(rulesOf(kind.kind).warnings?.(fields, context) ?? []),
  ])
  const errors = [
    ...legacy.errors,
    ...others.flatMap((document) => documentErrors(document, context)),
    ...legacyConflicts(config.legacy, others, context),
  ]
  if (context.minor >= FIRST_OF_LATER) {
    const whole = { legacy: config.legacy?.fields, documents: others, mode: options.mode }
    warnings.push(...laterWarnings(whole))
    errors.push(...laterErrors(whole))
  }
  return { warnings: [...legacy.warnings, ...warnings], errors }
}

function conflictIn({ documents }: MachineConfig): string | undefined {
  try {
    checkDocuments(documents)
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

function legacyVerdict(
  legacy: ConfigDocument | undefined,
  { mode, strict = false, installed = false, talosVersion }: ValidateOptions,
  { minor }: RuleContext,
): Verdict {
  if (legacy === undefined) return { warnings: [], errors: [] }
  const { warnings, errors } = validateLegacy(legacy, { mode, strict, installed, minor })
  // Which machine it is for is only known with a version; a machine asks this last.
  const isForMachine = errors.length === 0 && talosVersion !== undefined
  const all = isForMachine ? runtimeProblems(legacy, { talosVersion }) : errors
  return { warnings, errors: all.length === 0 ? [] : [`v1alpha1.Config: ${errorText(all)}`] }
}

function documentErrors({ kind, fields }: ConfigDocument, context: RuleContext): string[] {
  const errors = [...(rulesOf(kind.kind).errors?.(fields, context) ?? [])]
  const id = kind.named ? `${kind.kind}/${textAt(fields, 'name')}` : kind.kind
  return errors.length === 0 ? [] : [`${id}: ${errors.join('\n')}`]
}

function legacyConflicts(
  legacy: ConfigDocument | undefined,
  others: readonly ConfigDocument[],
  context: RuleContext,
): string[] {
  if (legacy === undefined) return []
  return others.flatMap(({ kind, fields }) => {
    const conflict =
      rulesOf(kind.kind).legacyConflict?.(fields, legacy.fields, context) ??
      laterConflict(kind.kind, legacy.fields)
    return conflict === undefined ? [] : [conflict]
  })
}
