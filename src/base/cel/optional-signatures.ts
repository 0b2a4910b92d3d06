/** What optional values bring: the id of each overload and how it is called; `#` stands before the name of a method. */
export const OPTIONAL_SIGNATURES = `
select_optional_field _?._(dyn, string): optional(V)
list_optindex_optional_int _[?_](list(V), int): optional(V)
map_optindex_optional_value _[?_](map(K, V), K): optional(V)
optional_list_optindex_optional_int _[?_](optional(list(V)), int): optional(V)
optional_map_optindex_optional_value _[?_](optional(map(K, V)), K): optional(V)
optional_list_index_int _[_](optional(list(V)), int): optional(V)
optional_map_index_value _[_](optional(map(K, V)), K): optional(V)
list_first list(V)#first(): optional(V)
optional_hasValue optional(V)#hasValue(): bool
list_last list(V)#last(): optional(V)
optional_none optional.none(): optional(V)
optional_of optional.of(V): optional(V)
optional_ofNonZeroValue optional.ofNonZeroValue(V): optional(V)
optional_unwrap optional.unwrap(list(optional(V))): list(V)
optional_or_optional optional(V)#or(optional(V)): optional(V)
optional_orValue_value optional(V)#orValue(V): V
optional_unwrapOpt list(optional(V))#unwrapOpt(): list(V)
optional_value optional(V)#value(): V
`
