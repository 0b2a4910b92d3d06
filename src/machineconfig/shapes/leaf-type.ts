/** How a scalar is read and written: one per way that Talos has, so that each has one codec. */
export type LeafType = PlainLeaf | IntegerLeaf | EnumLeaf

/** A way that needs no parameter. */
interface PlainLeaf {
  readonly reads: PlainReading
}

/**
 * - `string`, `bool`: as YAML has them. `duration`: Go's `1h30m`.
 * - `url`: anything that Go's `url.Parse` takes; `optional-url` is unset by the empty text.
 * - `base64`: bytes; `base64-key` is that, or the six asterisks of a redacted key.
 * - `manifest`: a text, without the line breaks and tabs that it begins with.
 * - `file-mode`: an integer that is written in octal.
 * - `disk-size`, `disk-condition`: `100 MB`, `>= 1TB`, as humans write bytes.
 * - `byte-size`, `size`: the text as it was given; `size` takes a percentage as well.
 * - `prefix`, `address`, `address-port`, `hardware-address`: of networks.
 * - `expression`: CEL, not looked into. `port-range`: `80` or `80-90`.
 * - `argument`: one text or a list of them. `fail-over-mac`: a name or its number.
 */
export type PlainReading =
  | 'string'
  | 'bool'
  | 'duration'
  | 'url'
  | 'optional-url'
  | 'base64'
  | 'base64-key'
  | 'manifest'
  | 'file-mode'
  | 'disk-size'
  | 'disk-condition'
  | 'byte-size'
  | 'size'
  | 'prefix'
  | 'address'
  | 'address-port'
  | 'hardware-address'
  | 'expression'
  | 'port-range'
  | 'argument'
  | 'fail-over-mac'

export interface IntegerLeaf {
  readonly reads: 'integer'
  readonly bits: 8 | 16 | 32 | 64
  readonly signed: boolean
}

/** One of a few words; other cases of letters are taken too. */
export interface EnumLeaf {
  readonly reads: 'enum'
  /** As they are written, each with the first minor version that has it. */
  readonly values: ReadonlyMap<string, number>
  /** What Talos writes for one that was never set: the first word, or such as `Protocol(0)`. */
  readonly zero: string
}
