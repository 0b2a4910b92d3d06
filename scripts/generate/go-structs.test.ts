import { expect, test } from 'vitest'
import { fieldsOfStruct, parsePackage } from './go-structs.ts'

const core = `package v1

import (
	"k8s.io/apimachinery/pkg/types"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Pod is one.
type Pod struct {
	metav1.TypeMeta \`json:",inline"\`
	// +optional
	metav1.ObjectMeta \`json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"\`

	Spec PodSpec \`json:"spec"\`
	UID *types.UID \`json:"uid,omitempty"\`
	Bytes map[string][]byte \`json:"bytes,omitempty"\`
	Times []*metav1.Time \`json:"times,omitzero"\`
	Hidden string \`json:"-"\`
	Handler \`json:",inline"\`
}

type Handler struct {
	Exec *Action \`json:"exec,omitempty"\`
}
`
const meta = `package v1

type TypeMeta struct {
	Kind string \`json:"kind,omitempty"\`
}
`

test('the fields of a struct are as JSON and Go name them, those of embedded structs among them', () => {
  const packages = new Map([
    ['k8s.io/api/core/v1', parsePackage('v1', [core])],
    ['k8s.io/apimachinery/pkg/apis/meta/v1', parsePackage('v1', [meta])],
  ])
  const fields = fieldsOfStruct(packages, { importPath: 'k8s.io/api/core/v1', struct: 'Pod' })

  const plain = { isPointer: false, omit: 'empty', embedded: [] }
  expect(Object.fromEntries(fields)).toEqual({
    kind: { ...plain, type: 'string', embedded: ['TypeMeta'] },
    metadata: { ...plain, type: 'v1.ObjectMeta' },
    spec: { ...plain, type: 'v1.PodSpec', omit: 'never' },
    uid: { ...plain, type: 'types.UID', isPointer: true },
    bytes: { ...plain, type: 'map[string][]uint8' },
    times: { ...plain, type: '[]*v1.Time', omit: 'zero' },
    exec: { ...plain, type: 'v1.Action', isPointer: true, embedded: ['Handler'] },
  })
})
