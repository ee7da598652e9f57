std = "luajit"
globals = { "vim" }
max_line_length = false -- stylua breaks lines; generated annotations may be longer
