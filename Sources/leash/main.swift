import LeashTool

Leash.main()
