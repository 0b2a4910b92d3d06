/**
 * Several errors as one text, in the form that Talos has from hashicorp's go-multierror. An error may
 * itself hold such a text; it is not indented further.
 */
export function errorText(errors: readonly string[]): string {
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`
  return `${count} occurred:\n${errors.map((error) => `\t* ${error}\n`).join('')}\n`
}
