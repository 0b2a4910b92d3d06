const BLOCK = /-----BEGIN ([^\n-]+)-----\r?\n([\s\S]*?)-----END \1-----/g

/** The blocks of a PEM text: what each is, and the whole of it. */
export const pemBlocksIn = (text: string): { type: string; block: string }[] =>
  [...text.matchAll(BLOCK)].map(([block, type = '']) => ({ type, block }))
