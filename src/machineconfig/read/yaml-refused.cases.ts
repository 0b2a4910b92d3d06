/** Texts that go.yaml.in/yaml/v4 v4.0.0-rc.4 refuses too, and what we say; its lines are often off by one. */
export const unreadableTexts: readonly (readonly [text: string, why: string])[] = [
  [
    'a:\n  - b\n  c: d',
    "while parsing a block collection at line 2, column 3: line 3, column 3: did not find expected '-' indicator",
  ],
  ['a: b: c', 'line 1, column 5: mapping values are not allowed in this context'],
  ["a: 'b' c", 'while parsing a block mapping at line 1, column 8: did not find expected key'],
  ['a\nb: c', 'line 2, column 2: mapping values are not allowed in this context'],
  [': a', 'while parsing a block mapping at line 1: did not find expected key'],
  [
    '[a, b',
    "while parsing a flow sequence at line 1: line 1, column 6: did not find expected ',' or ']'",
  ],
  [
    '{a: b',
    "while parsing a flow mapping at line 1: line 1, column 6: did not find expected ',' or '}'",
  ],
  [
    '[a, , b]',
    'while scanning for the next token at line 1, column 5: found character that cannot start any token',
  ],
  [
    '[,]',
    'while scanning for the next token at line 1, column 2: found character that cannot start any token',
  ],
  [
    '{,}',
    'while scanning for the next token at line 1, column 2: found character that cannot start any token',
  ],
  [
    '&a [x, *a]',
    'while composing an alias at line 1, column 8: line 1, column 10: an anchor contains itself',
  ],
  [
    'a: *x',
    'while composing an alias at line 1, column 4: line 1, column 6: unknown anchor referenced',
  ],
  ['!e!x y', 'while scanning a tag at line 1: found undefined tag handle'],
  ['%YAML 1.2\n--- a', 'while scanning a directive at line 1: found unknown directive name'],
  ['%YAML 1.1\na', 'line 2: did not find expected <document start>'],
  ['%FOO\n--- a', 'while scanning a directive at line 1: found unknown directive name'],
  ['a\n...\nb', 'line 3: did not find expected <document start>'],
  ['...', 'line 1: did not find expected <document start>'],
  ['"a\nb": c', 'line 2, column 3: mapping values are not allowed in this context'],
  [
    '"\\x41\\u0041\\U00000041\n\t\\0\\e\\N\\_\\L\\P\\/"',
    'while scanning a quoted scalar at line 1: line 2, column 14: found unknown escape character',
  ],
  [
    '"\\q"',
    'while scanning a quoted scalar at line 1: line 1, column 2: found unknown escape character',
  ],
  [
    "'a",
    'while scanning a quoted scalar at line 1: line 1, column 3: found unexpected end of stream',
  ],
  [
    '"a',
    'while scanning a quoted scalar at line 1: line 1, column 3: found unexpected end of stream',
  ],
  ['\n  b\n  c\nd: e', 'line 4, column 2: mapping values are not allowed in this context'],
  ['+\n  b\n\nc: d', 'line 4, column 2: mapping values are not allowed in this context'],
  [
    '\ta: b',
    'while scanning for the next token at line 1: found character that cannot start any token',
  ],
  [
    'a:\n\tb: c',
    'while scanning for the next token at line 2: found character that cannot start any token',
  ],
  [
    '- \ta',
    'while scanning for the next token at line 1, column 3: found character that cannot start any token',
  ],
  ['a: b\n\tc', 'line 2: found a tab character that violates indentation'],
  ['a: - b', 'line 1, column 4: block sequence entries are not allowed in this context'],
  [
    'a: @b',
    'while scanning for the next token at line 1, column 4: found character that cannot start any token',
  ],
  [
    'a: %b',
    'while scanning for the next token at line 1, column 4: found character that cannot start any token',
  ],
  ['%b', 'while scanning a directive at line 1: found unknown directive name'],
  [
    'a: `b',
    'while scanning for the next token at line 1, column 4: found character that cannot start any token',
  ],
  [
    'a: *',
    'while scanning an alias at line 1, column 4: did not find expected alphabetic or numeric character',
  ],
  [
    'a: &',
    'while scanning an anchor at line 1, column 4: did not find expected alphabetic or numeric character',
  ],
  [
    'a: [\nb: c',
    "while parsing a flow sequence at line 1, column 4: line 2, column 5: did not find expected ',' or ']'",
  ],
  [
    '- a\nb',
    "while parsing a block collection at line 1: line 2: did not find expected '-' indicator",
  ],
  [
    'a:\n  b\nc',
    "while scanning a simple key at line 3: line 3, column 2: could not find expected ':'",
  ],
  [
    'a:\n  b: c\n d: e',
    'while parsing a block mapping at line 3, column 2: did not find expected key',
  ],
  [
    'a:\n    b: c\n  d: e',
    'while parsing a block mapping at line 3, column 3: did not find expected key',
  ],
  ['a: b\n d: e', 'line 2, column 3: mapping values are not allowed in this context'],
  [' a: b\nc: d', 'line 2: did not find expected <document start>'],
  ['a: "b": c', 'line 1, column 7: mapping values are not allowed in this context'],
  ['"a" "b"', 'line 1, column 5: did not find expected <document start>'],
  ['[a] b', 'line 1, column 5: did not find expected <document start>'],
  ['{a} b', 'line 1, column 5: did not find expected <document start>'],
  ['a: [b] c', 'while parsing a block mapping at line 1, column 8: did not find expected key'],
  ['a: [b]: c', 'line 1, column 7: mapping values are not allowed in this context'],
  ['&x - a', 'line 1, column 4: block sequence entries are not allowed in this context'],
  [
    'a: &x &y b',
    'while parsing a block node at line 1, column 7: did not find expected node content',
  ],
  ['&a &b c', 'while parsing a block node at line 1, column 4: did not find expected node content'],
  ['*a: b', 'while composing an alias at line 1: line 1, column 3: unknown anchor referenced'],
  [
    '- *a',
    'while composing an alias at line 1, column 3: line 1, column 5: unknown anchor referenced',
  ],
  [
    '[*a]',
    'while composing an alias at line 1, column 2: line 1, column 4: unknown anchor referenced',
  ],
  [
    '{*a : b}',
    'while composing an alias at line 1, column 2: line 1, column 4: unknown anchor referenced',
  ],
  [
    '[a\n b: c]',
    "while parsing a flow sequence at line 1: line 2, column 3: did not find expected ',' or ']'",
  ],
  ['{a\n: b}', "while parsing a flow mapping at line 1: line 2: did not find expected ',' or '}'"],
  [
    '[a ? b]',
    "while parsing a flow sequence at line 1: line 1, column 4: did not find expected ',' or ']'",
  ],
  [
    '[- a]',
    'while scanning for the next token at line 1, column 2: found character that cannot start any token',
  ],
  ['[: a]', 'while parsing a flow node at line 1, column 2: did not find expected node content'],
  ['{: a}', 'while parsing a flow node at line 1, column 2: did not find expected node content'],
  ['{:a}', 'while parsing a flow node at line 1, column 2: did not find expected node content'],
  ['[a]]', 'line 1, column 4: did not find expected <document start>'],
  ['{a}}', 'line 1, column 4: did not find expected <document start>'],
  [']', 'while scanning for the next token at line 1: found character that cannot start any token'],
  ['}', 'while scanning for the next token at line 1: found character that cannot start any token'],
  [',', 'while scanning for the next token at line 1: found character that cannot start any token'],
  [
    '[a #b]',
    "while parsing a flow sequence at line 1: line 1, column 7: did not find expected ',' or ']'",
  ],
  ['--- - a', 'line 1, column 5: block sequence entries are not allowed in this context'],
  ['--- a: b', 'line 1, column 6: mapping values are not allowed in this context'],
  ['a\n--- b\n... c', 'line 3, column 5: did not find expected <document start>'],
  [
    "'\n... '",
    'while scanning a quoted scalar at line 1: line 2: found unexpected document indicator',
  ],
  [
    'a:\n  - b\n - c',
    'while parsing a block mapping at line 3, column 2: did not find expected key',
  ],
  [
    'a:\n   - b\n  - c',
    'while parsing a block mapping at line 3, column 3: did not find expected key',
  ],
  ["'a' :b", 'line 1, column 5: did not find expected <document start>'],
  ["a: 'b':c", 'while parsing a block mapping at line 1, column 7: did not find expected key'],
  ['a: b\n: c', 'while parsing a block mapping at line 1: line 2: did not find expected key'],
  ['a:\n: c', 'while parsing a block mapping at line 1: line 2: did not find expected key'],
  ['x: ? a', 'line 1, column 4: mapping keys are not allowed in this context'],
  ['x: - a', 'line 1, column 4: block sequence entries are not allowed in this context'],
  ['- x: y\n z: w', 'while parsing a block mapping at line 2, column 2: did not find expected key'],
  ['k: v\n   w: x', 'line 2, column 5: mapping values are not allowed in this context'],
  [
    'k: [\n- a]',
    'while scanning for the next token at line 2: found character that cannot start any token',
  ],
  [
    '\tx',
    'while scanning for the next token at line 1: found character that cannot start any token',
  ],
  [
    'a: |\n    b\n   c\n',
    'while parsing a block mapping at line 3, column 4: did not find expected key',
  ],
  [
    'a: |\nb',
    "while scanning a simple key at line 2: line 2, column 2: could not find expected ':'",
  ],
  [
    'a: |0\n b',
    'while scanning a block scalar at line 1, column 4: line 1, column 6: found an indentation indicator equal to 0',
  ],
  [
    'a: |-0\n b',
    'while scanning a block scalar at line 1, column 4: line 1, column 7: found an indentation indicator equal to 0',
  ],
  [
    'a: |x\n b',
    'while scanning a block scalar at line 1, column 4: line 1, column 5: did not find expected comment or line break',
  ],
  [
    'a: |\n\tb',
    'while scanning a block scalar at line 1, column 4: line 2: found a tab character where an indentation space is expected',
  ],
  [
    '"\\uD800"',
    'while scanning a quoted scalar at line 1: line 1, column 2: found invalid Unicode character escape code',
  ],
  [
    '"\\u12"',
    'while scanning a quoted scalar at line 1: line 1, column 2: did not find expected hexadecimal number',
  ],
  [
    '"\\uzzzz"',
    'while scanning a quoted scalar at line 1: line 1, column 2: did not find expected hexadecimal number',
  ],
  [
    '"a\n---\nb"',
    'while scanning a quoted scalar at line 1: line 2: found unexpected document indicator',
  ],
  [
    '%TAG !e! tag:e:\n--- !e!x y\n---\n!e!x y',
    'while scanning a tag at line 4: found undefined tag handle',
  ],
  [
    'a: !<x y',
    'while scanning a tag at line 1, column 4: line 1, column 5: did not find expected whitespace or line break',
  ],
  ['!!', 'while scanning a tag at line 1: did not find expected tag URI'],
  [
    'a: *b*',
    'while composing an alias at line 1, column 4: line 1, column 7: unknown anchor referenced',
  ],
  [
    '&a\n&b c: d',
    'while parsing a block node at line 1: line 2: did not find expected node content',
  ],
  [
    'a: &x *y',
    'while parsing a block node at line 1, column 4: line 1, column 7: did not find expected node content',
  ],
  [
    '{a: b\n--- c',
    "while parsing a flow mapping at line 1: line 2: did not find expected ',' or '}'",
  ],
  [
    'a: b\n%X',
    'while scanning for the next token at line 2: found character that cannot start any token',
  ],
  ['a: b\n... x', 'line 2, column 5: did not find expected <document start>'],
  ['{a: :b}', 'while parsing a flow node at line 1, column 5: did not find expected node content'],
  ['[a\n? b]', "while parsing a flow sequence at line 1: line 2: did not find expected ',' or ']'"],
]
