# SPDX-License-Identifier: BSD-3-Clause
message(FATAL_ERROR "npm could not install what the viewer is built with: is there a network? Without one, configure with "
                    "-DLIMBER_WITH_VIEWER=OFF: all but `limber report` and `modes --report` works.")
