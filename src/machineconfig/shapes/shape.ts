import type { LeafType } from './leaf-type.ts'

/**
 * What a value of the machine configuration may be, as Talos itself declares it. Whether a missing
 * value differs from an empty one, what a patch does to it and how it is written all follow from here.
 */
export type Shape = Struct | List | Dictionary | Leaf | Free | Pointer

/** An object with named fields, in the order in which Talos writes them. */
export interface Struct {
  readonly is: 'struct'
  /** As Talos names it (`v1alpha1.MachineConfig`): messages show it. */
  readonly name: string
  readonly fields: ReadonlyMap<string, Field>
}

export interface List {
  readonly is: 'list'
  readonly of: Shape
  /** As Talos names the type when it has a name (`v1alpha1.VlanList`): its own merge rule hangs on it. */
  readonly name?: string
}

export interface Dictionary {
  readonly is: 'map'
  readonly of: Shape
  readonly name?: string
}

/** One scalar; `type` says which texts it takes and how they are written back. */
export interface Leaf {
  readonly is: 'leaf'
  readonly type: LeafType
  /** As Talos names the type, for messages. */
  readonly name: string
}

/** Anything: maps, lists and scalars as YAML has them (kubelet's `extraConfig`). */
export interface Free {
  readonly is: 'free'
  /** `v1alpha1.Unstructured` must be a map; `any` need not. */
  readonly name: string
}

/** Something that can be absent as opposed to empty. */
export interface Pointer {
  readonly is: 'pointer'
  readonly to: Shape
}

export interface Field {
  readonly name: string
  readonly shape: Shape
  /**
   * When it is not written. `nil` is the same as `empty` unless comments are written along: then only
   * what was never set is left out.
   */
  readonly omit: 'never' | 'empty' | 'nil'
  /** A patch replaces it as a whole. */
  readonly replaced: boolean
  /** The first minor version of Talos 1.x that has it; 5 for those that were always there. */
  readonly since: number
  /** What it was through an older minor version, where that takes other values. */
  readonly before?: { readonly until: number; readonly shape: Shape }
}

/** A kind of document. The legacy one, which holds `machine` and `cluster`, has no kind: ''. */
export interface DocumentKind {
  readonly kind: string
  readonly shape: Struct
  /** Whether several of one kind may be there, told apart by `name`. */
  readonly named: boolean
  readonly since: number
}
