import type { ValueMap } from '#machineconfig/document.ts'
import { applyPatches, patchText } from './apply-patches.ts'
import { loadPatch } from './load-patch.ts'

/** The fields of all documents after patches, which are called `patch 0` and so on. */
export const patchedFields = (base: string, ...patches: string[]): readonly ValueMap[] =>
  applyPatches(base, loaded(patches)).documents.map(({ fields }) => fields)

/** The text that comes out. */
export const patchedText = (base: string, ...patches: string[]): string =>
  patchText(base, loaded(patches))

const loaded = (patches: readonly string[]) =>
  patches.map((text, index) => loadPatch({ name: `patch ${index}`, text }))
