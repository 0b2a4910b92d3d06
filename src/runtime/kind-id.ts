import type { ApiKind } from '#api/meta.ts'

/** A kind as a word: `talosmachines.talos.alperen.cloud`, `secrets`. The version does not matter. */
export const kindId = ({ plural, group }: ApiKind): string =>
  group === '' ? plural : `${plural}.${group}`
