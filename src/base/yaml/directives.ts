import type { Source } from './source.ts'

const [PERCENT, DASH] = [37, 45]

/**
 * Past the directives and the `---` before a document; the first one needs neither. Says whether the
 * `---` was there.
 */
export function takeDirectives(source: Source, first: boolean): boolean {
  const handles = new Map<string, string>()
  let any = false
  while (source.column === 0 && source.code() === PERCENT) {
    any = true
    takeDirective(source, handles)
  }
  source.handles = handles
  const marked = source.atDocumentMark()
  if (marked && source.code() === DASH) {
    source.at += 3
    return true
  }
  if (any || marked || !first) throw source.refuse('did not find expected <document start>')
  return false
}

const DIRECTIVE = /%(?:YAML[ \t]+1\.1|TAG[ \t]+(![\w-]*!?)[ \t]+(\S+))[ \t]*(?:#.*)?(?=[\n\0])/y

function takeDirective(source: Source, handles: Map<string, string>): void {
  DIRECTIVE.lastIndex = source.at
  const [whole, handle, prefix] = DIRECTIVE.exec(source.text) ?? []
  if (whole === undefined) {
    throw source.refuse('found unknown directive name', {
      what: 'while scanning a directive',
      mark: source.mark,
    })
  }
  if (handle && prefix) handles.set(handle, prefix)
  source.at += whole.length
  source.skipToToken('nowhere')
}
