import type { Mark, Source } from './source.ts'
import type { YamlError } from './yaml-error.ts'

/** What may stand before a node. */
export interface Properties {
  readonly anchor: string
  /** In its short form; '' for none. */
  readonly tag: string
}

export const NO_PROPERTIES: Properties = { anchor: '', tag: '' }

const [EXCLAMATION, AMPERSAND] = [33, 38]

/** Whether an anchor or a tag comes next. */
export const atProperty = (source: Source): boolean =>
  source.code() === AMPERSAND || source.code() === EXCLAMATION

/** The anchor or tag that comes next, added to what was there before it. */
export function takeProperty(source: Source, before: Properties): Properties {
  const { mark } = source
  const isTag = source.code() === EXCLAMATION
  if (isTag ? before.tag : before.anchor) {
    throw source.refuse('did not find expected node content', {
      what: 'while parsing a block node',
      mark,
    })
  }
  return isTag
    ? { ...before, tag: takeTag(source, mark) }
    : { ...before, anchor: takeName(source, 'while scanning an anchor') }
}

const NAME = /[&*]([\x21-\x2b\x2d-\x39\x3b-\x5a\x5c\x5e-\x7a\x7c\x7e]*)(?=[\s\0?:,\]}%@`])/y

/** The name of an anchor or an alias. */
export function takeName(source: Source, what: string): string {
  const { mark } = source
  NAME.lastIndex = source.at
  const [whole = '', name = ''] = NAME.exec(source.text) ?? []
  if (name === '') {
    throw source.refuse('did not find expected alphabetic or numeric character', { what, mark })
  }
  source.at += whole.length
  return name
}

const VERBATIM = /!<([^\s<>\0]+)>/y
const SHORTHAND = /(!(?:[\w-]*!)?)([\w\-;/?:@&=+$.!~*'()]*)/y
const LONG = 'tag:yaml.org,2002:'

function takeTag(source: Source, mark: Mark): string {
  const tag = verbatim(source) ?? shorthand(source, mark)
  if (!source.blankAt(0))
    throw refusal(source, 'did not find expected whitespace or line break', mark)
  if (tag === '!') return ''
  return tag.startsWith(LONG) ? `!!${tag.slice(LONG.length)}` : tag
}

const refusal = (source: Source, why: string, mark: Mark): YamlError =>
  source.refuse(why, { what: 'while scanning a tag', mark })

function verbatim(source: Source): string | undefined {
  VERBATIM.lastIndex = source.at
  const [whole, uri] = VERBATIM.exec(source.text) ?? []
  if (whole === undefined) return
  source.at += whole.length
  return uri
}

function shorthand(source: Source, mark: Mark): string {
  SHORTHAND.lastIndex = source.at
  const [whole = '', handle = '', suffix = ''] = SHORTHAND.exec(source.text) ?? []
  const prefix = handle === '!' ? '!' : handle === '!!' ? LONG : undefined
  const declared = source.handles.get(handle) ?? prefix
  if (declared === undefined) throw refusal(source, 'found undefined tag handle', mark)
  if (handle.length > 1 && suffix === '')
    throw refusal(source, 'did not find expected tag URI', mark)
  source.at += whole.length
  return declared + suffix
}
