/** What comes with CEL's own extensions: optional values, strings, lists, sets, loops over two variables: the id of each overload and how it is called; `#` stands before the name of a method. */
export const EXTENSION_SIGNATURES = `
list_bool_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(bool)): list(T)
list_bytes_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(bytes)): list(T)
list_double_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(double)): list(T)
list_google.protobuf.Duration_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(duration)): list(T)
list_google.protobuf.Timestamp_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(timestamp)): list(T)
list_int_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(int)): list(T)
list_string_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(string)): list(T)
list_uint_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(uint)): list(T)
select_optional_field _?._(dyn, string): optional(V)
list_optindex_optional_int _[?_](list(V), int): optional(V)
map_optindex_optional_value _[?_](map(K, V), K): optional(V)
optional_list_optindex_optional_int _[?_](optional(list(V)), int): optional(V)
optional_map_optindex_optional_value _[?_](optional(map(K, V)), K): optional(V)
optional_list_index_int _[_](optional(list(V)), int): optional(V)
optional_map_index_value _[_](optional(map(K, V)), K): optional(V)
@mapInsert_map_key_value cel.@mapInsert(map(K, V), K, V): map(K, V)
@mapInsert_map_map cel.@mapInsert(map(K, V), map(K, V)): map(K, V)
string_char_at_int string#charAt(int): string
list_distinct list(T)#distinct(): list(T)
list_first list(V)#first(): optional(V)
list_flatten list(list(T))#flatten(): list(T)
list_flatten_int list(dyn)#flatten(int): list(dyn)
string_format string#format(list(dyn)): string
optional_hasValue optional(V)#hasValue(): bool
string_index_of_string string#indexOf(string): int
string_index_of_string_int string#indexOf(string, int): int
list_join list(string)#join(): string
list_join_string list(string)#join(string): string
list_last list(V)#last(): optional(V)
string_last_index_of_string string#lastIndexOf(string): int
string_last_index_of_string_int string#lastIndexOf(string, int): int
lists_range lists.range(int): list(int)
string_lower_ascii string#lowerAscii(): string
optional_none optional.none(): optional(V)
optional_of optional.of(V): optional(V)
optional_ofNonZeroValue optional.ofNonZeroValue(V): optional(V)
optional_unwrap optional.unwrap(list(optional(V))): list(V)
optional_or_optional optional(V)#or(optional(V)): optional(V)
optional_orValue_value optional(V)#orValue(V): V
string_replace_string_string string#replace(string, string): string
string_replace_string_string_int string#replace(string, string, int): string
list_reverse list(T)#reverse(): list(T)
list_sets_contains_list sets.contains(list(T), list(T)): bool
list_sets_equivalent_list sets.equivalent(list(T), list(T)): bool
list_sets_intersects_list sets.intersects(list(T), list(T)): bool
list_slice list(T)#slice(int, int): list(T)
list_bool_sort list(bool)#sort(): list(bool)
list_bytes_sort list(bytes)#sort(): list(bytes)
list_double_sort list(double)#sort(): list(double)
list_google.protobuf.Duration_sort list(duration)#sort(): list(duration)
list_google.protobuf.Timestamp_sort list(timestamp)#sort(): list(timestamp)
list_int_sort list(int)#sort(): list(int)
list_string_sort list(string)#sort(): list(string)
list_uint_sort list(uint)#sort(): list(uint)
string_split_string string#split(string): list(string)
string_split_string_int string#split(string, int): list(string)
strings_quote strings.quote(string): string
string_substring_int string#substring(int): string
string_substring_int_int string#substring(int, int): string
string_trim string#trim(): string
optional_unwrapOpt list(optional(V))#unwrapOpt(): list(V)
string_upper_ascii string#upperAscii(): string
optional_value optional(V)#value(): V
`
