const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

/** Whether a word is one of CEL's own. */
export const isReserved = (word: string): boolean => RESERVED.has(word)
