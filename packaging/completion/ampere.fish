# Completion of ampere in fish. The program itself knows what may follow; see `ampere completion --help`.
function __ampere_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l answer ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
    test (count $answer) -gt 0; or return
    set -l head (string split \t -- $answer[1])
    for line in $answer[2..-1]
        echo $line
    end
    set -l path (string sub -s (math (string length -- "$head[2]") + 1) -- "$current")
    switch $head[1]
        case files
            for file in (__fish_complete_path "$path")
                echo "$head[2]$file"
            end
        case folders
            for folder in (__fish_complete_directories "$path" "")
                echo "$head[2]$folder"
            end
    end
end
complete -c ampere -f -a '(__ampere_complete)'
