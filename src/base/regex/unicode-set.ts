import type { CharacterTest } from './character-test.ts'

const CATEGORIES =
  'C Cc Cf Cn Co Cs L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs Cased_Letter Close_Punctuation Combining_Mark Connector_Punctuation Control Currency_Symbol Dash_Punctuation Decimal_Number Enclosing_Mark Final_Punctuation Format Initial_Punctuation Letter Letter_Number Line_Separator Lowercase_Letter Mark Math_Symbol Modifier_Letter Modifier_Symbol Nonspacing_Mark Number Open_Punctuation Other Other_Letter Other_Number Other_Punctuation Other_Symbol Paragraph_Separator Private_Use Punctuation Separator Space_Separator Spacing_Mark Surrogate Symbol Titlecase_Letter Unassigned Uppercase_Letter cntrl digit punct'
/** Other scripts with four letters are codes, which Go does not know. */
const SHORT_SCRIPTS = new Set([
  'Ahom',
  'Cham',
  'Kawi',
  'Lisu',
  'Miao',
  'Modi',
  'Newa',
  'Thai',
  'Toto',
])

/** As Go looks a name up; it loses scripts with two words that way. */
const canonical = (name: string): string => {
  const letters = name.replace(/[_ -]/g, '').toLowerCase()
  return letters.slice(0, 1).toUpperCase() + letters.slice(1)
}

const properties = new Map([
  ...CATEGORIES.split(' ').map((name) => [canonical(name), `gc=${name}`] as const),
  ['Any', 'Any'] as const,
  ['Assigned', 'Assigned'] as const,
  ['Ascii', 'ASCII'] as const,
])

/** The characters with a property of Unicode, or undefined if Go knows none of that name. */
export function unicodeSet(name: string): CharacterTest | undefined {
  const key = canonical(name)
  const property = properties.get(key) ?? scriptOf(key)
  if (property === undefined) return undefined
  try {
    const pattern = new RegExp(`^\\p{${property}}$`, 'u')
    return (code) => pattern.test(String.fromCodePoint(code))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function scriptOf(name: string): string | undefined {
  const isName = /^[A-Z][a-z]*$/.test(name) && name !== 'Unknown'
  return isName && (name.length !== 4 || SHORT_SCRIPTS.has(name)) ? `sc=${name}` : undefined
}
