const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const LONGEST_SHOWN = 80

/** Of a host name's first part, and of a label's value. */
export const LONGEST_NAME = 63

/** What was judged, and the sentences about what is wrong with it. */
export interface Finding<Value> {
  value: Value
  problems: string[]
}

/** Whether a name can be that of a machine, a label's value and a folder. */
export const isLabel = (name: string): boolean => LABEL.test(name) && name.length <= LONGEST_NAME

/** A text of a user in a sentence. */
export const shown = (text: string): string => JSON.stringify(text.slice(0, LONGEST_SHOWN))
