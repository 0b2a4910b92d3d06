import type { ConfigDocument, Value } from '#machineconfig/document.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { isList, isMap, isSame } from './compare-values.ts'
import { itemsOf } from './list-items.ts'
import { redactedDocument } from './redact.ts'
import { partOf, type Twin } from './twin.ts'

/** One difference between two configurations, without secrets. */
export interface Change {
  /** See `nameOf`. */
  readonly document: string
  /** `machine.install.disk`, `machine.network.interfaces[eth0].mtu`; '' for the document itself. */
  readonly path: string
  /** Left out: was not there. */
  readonly before?: Value
  /** Left out: is not there any more. */
  readonly after?: Value
  /** Whether the difference itself cannot be shown: both sides look the same, or are stars. */
  readonly isHidden: boolean
}

/** Everything in which two configurations differ, in the order of their documents and fields. */
export function changesBetween(before: MachineConfig, after: MachineConfig): Change[] {
  const old = byName(before)
  const recent = byName(after)
  const names = [...new Set([...old.keys(), ...recent.keys()])]
  return names.flatMap((document) => {
    const sides = { before: fieldsOf(old.get(document)), after: fieldsOf(recent.get(document)) }
    return changesIn(sides, { document, path: '' })
  })
}

/** What a person calls a document: `v1alpha1` for the one with `machine` and `cluster`, `VolumeConfig EPHEMERAL`. */
function nameOf({ kind, fields }: ConfigDocument): string {
  if (kind.kind === '') return 'v1alpha1'
  return kind.named ? `${kind.kind} ${String(fields.name ?? '')}` : kind.kind
}

const byName = ({ documents }: MachineConfig): Map<string, ConfigDocument> =>
  new Map(documents.map((document) => [nameOf(document), document]))

const fieldsOf = (document: ConfigDocument | undefined): Twin | undefined =>
  document && { real: document.fields, shown: redactedDocument(document).fields }

interface Sides {
  readonly before: Twin | undefined
  readonly after: Twin | undefined
}

type Place = Pick<Change, 'document' | 'path'>

function changesIn({ before, after }: Sides, place: Place): Change[] {
  if (isSame(before?.real, after?.real)) return []
  if (before && after && isMap(before.real) && isMap(after.real)) {
    return mapChanges(before, after, place)
  }
  if (before && after && isList(before.real) && isList(after.real)) {
    return itemsOf(before, after).flatMap(({ name, ...sides }) =>
      changesIn(sides, { ...place, path: `${place.path}[${name}]` }),
    )
  }
  const isHidden = before !== undefined && after !== undefined && isSame(before.shown, after.shown)
  return [
    {
      ...place,
      ...(before && { before: before.shown }),
      ...(after && { after: after.shown }),
      isHidden,
    },
  ]
}

function mapChanges(before: Twin, after: Twin, place: Place): Change[] {
  const keys = new Set([...keysOf(before.real), ...keysOf(after.real)])
  return [...keys].flatMap((key) =>
    changesIn(
      { before: partOf(before, key), after: partOf(after, key) },
      { ...place, path: joined(place.path, key) },
    ),
  )
}

const keysOf = (value: Value): string[] => (isMap(value) ? Object.keys(value) : [])

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/

function joined(path: string, key: string): string {
  if (!PLAIN_KEY.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path ? `${path}.${key}` : key
}
