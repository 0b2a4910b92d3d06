{{- /* As those who define kinds form it nearly always. */ -}}
{{- define "talos-operator.plural" -}}
{{- $word := lower . -}}
{{- if eq $word "endpoints" -}}
{{- $word -}}
{{- else if regexMatch "(s|x|z|ch|sh)$" $word -}}
{{- $word }}es
{{- else if regexMatch "[^aeiou]y$" $word -}}
{{- trimSuffix "y" $word }}ies
{{- else -}}
{{- $word }}s
{{- end -}}
{{- end }}

{{- /* To follow what users may refer to, one rule for a group. */ -}}
{{- define "talos-operator.followRules" -}}
{{- $plurals := dict -}}
{{- range .Values.machineRefKinds -}}
{{- $parts := splitList "/" . -}}
{{- $group := eq (len $parts) 3 | ternary (first $parts) "" -}}
{{- $known := get $plurals $group | default list -}}
{{- $_ := set $plurals $group (append $known (include "talos-operator.plural" (last $parts))) -}}
{{- end -}}
{{- range $group := keys $plurals | sortAlpha }}
- apiGroups: [{{ $group | quote }}]
  resources: {{ get $plurals $group | uniq | sortAlpha | toJson }}
  verbs: [get, list, watch]
{{- end -}}
{{- end }}

{{- /* For kinds that are in namespaces: in all of them, or in each that is watched. */ -}}
{{- define "talos-operator.rules" -}}
{{ include "talos-operator.publishedRules" . }}
{{- if .Values.rbac.leasesEverywhere }}
{{ include "talos-operator.leaseRules" . }}
{{- end }}
{{ include "talos-operator.declaredRules" . }}
{{- include "talos-operator.followRules" . }}
{{- end }}
