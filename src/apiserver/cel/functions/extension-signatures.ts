/** What comes with CEL's own extensions besides optional values: strings, lists, sets, loops over two variables: the id of each overload and how it is called; `#` stands before the name of a method. */
export const EXTENSION_SIGNATURES = `
list_bool_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(bool)): list(T)
list_bytes_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(bytes)): list(T)
list_double_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(double)): list(T)
list_google.protobuf.Duration_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(duration)): list(T)
list_google.protobuf.Timestamp_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(timestamp)): list(T)
list_int_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(int)): list(T)
list_string_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(string)): list(T)
list_uint_sortByAssociatedKeys list(T)#@sortByAssociatedKeys(list(uint)): list(T)
@mapInsert_map_key_value cel.@mapInsert(map(K, V), K, V): map(K, V)
@mapInsert_map_map cel.@mapInsert(map(K, V), map(K, V)): map(K, V)
string_char_at_int string#charAt(int): string
list_distinct list(T)#distinct(): list(T)
list_flatten list(list(T))#flatten(): list(T)
list_flatten_int list(dyn)#flatten(int): list(dyn)
string_format string#format(list(dyn)): string
string_index_of_string string#indexOf(string): int
string_index_of_string_int string#indexOf(string, int): int
list_join list(string)#join(): string
list_join_string list(string)#join(string): string
string_last_index_of_string string#lastIndexOf(string): int
string_last_index_of_string_int string#lastIndexOf(string, int): int
lists_range lists.range(int): list(int)
string_lower_ascii string#lowerAscii(): string
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
string_upper_ascii string#upperAscii(): string
`
