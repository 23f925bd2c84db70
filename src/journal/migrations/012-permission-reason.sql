-- Why a permission was answered by nobody: its policy, its time, its turn, or the pane in which the person answered the dialog.
ALTER TABLE permission ADD COLUMN reason TEXT;
