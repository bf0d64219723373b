# Completion of ampere in bash. The program itself knows what may follow; see `ampere completion --help`.
_ampere() {
  local line=${COMP_LINE:0:COMP_POINT} current answer directive prefix cut
  local -a words
  # By blanks alone: bash also splits at : and =, which are parts of our words.
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=${words[-1]}
  mapfile -t answer < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
  [[ ${#answer[@]} -gt 0 ]] || return
  directive=${answer[0]%%$'\t'*} prefix=${answer[0]#*$'\t'}
  COMPREPLY=()
  local candidate
  for candidate in "${answer[@]:1}"; do COMPREPLY+=("${candidate%%$'\t'*}"); done
  local path=${current:${#prefix}}
  case $directive in
    files) compopt -o filenames; while read -r candidate; do COMPREPLY+=("$prefix$candidate"); done < <(compgen -f -- "$path") ;;
    folders) compopt -o filenames; while read -r candidate; do COMPREPLY+=("$prefix$candidate"); done < <(compgen -d -- "$path") ;;
  esac
  # What bash already took for an earlier word is not repeated.
  cut=${current%"${COMP_WORDS[COMP_CWORD]}"}
  [[ ${COMP_WORDS[COMP_CWORD]} == [:=] ]] && cut=$current
  [[ -n $cut ]] && COMPREPLY=("${COMPREPLY[@]#"$cut"}")
  # Behind "sim:" or "--rig=" something follows.
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[:=] ]]; then compopt -o nospace; fi
}
complete -F _ampere ampere
