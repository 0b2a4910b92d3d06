import type { ConfigDocument, ValueMap } from '#machineconfig/document.ts'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import { documentKind } from '#machineconfig/shapes/shapes.ts'

/** A document of a kind, as it is in memory. */
export function aDocument(kind: string, fields: ValueMap): ConfigDocument {
  const found = documentKind(kind)
  if (!found) throw new Error(`there is no ${kind}`)
  return { kind: found, fields }
}

/** A configuration of the document with `machine` and `cluster`, and of further ones. */
export const aConfig = (legacy: ValueMap, ...further: ConfigDocument[]): MachineConfig =>
  new MachineConfig([aDocument('', legacy), ...further])
